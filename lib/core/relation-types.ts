/** The six relation types of R2.4, each with its inverse; the judge may coin more. */
const INVERSES: Readonly<Record<string, string>> = {
  duplicate: 'duplicate',
  subset: 'superset',
  superset: 'subset',
  conflict: 'conflict',
  complement: 'complement',
  none: 'none',
};

export const isKnownType = (type: string): boolean => Object.hasOwn(INVERSES, type);

/** The inverse of a known type; a coined type that brings none is its own (R2.4). */
export const reverseOf = (type: string): string => (isKnownType(type) ? INVERSES[type]! : type);

/** The types that always reject the newcomer, and that earn the old item a helpful point (R4.2, R4.3). */
export const rejects = (type: string): boolean => type === 'duplicate' || type === 'subset';
