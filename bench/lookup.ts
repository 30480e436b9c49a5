/** Being written. */
export const lookup = async (): Promise<number> => {
  throw new Error('not there yet');
};
