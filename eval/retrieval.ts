/** Being written. */
export const retrieval = async (): Promise<number> => {
  throw new Error('not there yet');
};
