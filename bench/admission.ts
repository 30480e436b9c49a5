/** Being written. */
export const admission = async (): Promise<number> => {
  throw new Error('not there yet');
};
