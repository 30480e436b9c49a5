const part = Symbol('part of an expression');

interface Attribute {
  [part]: 'attribute';
  path: readonly (string | number)[];
}

/** A condition, an update or a key condition, with its operands where they stand. */
export interface Expression {
  [part]: 'expression';
  texts: readonly string[];
  operands: readonly unknown[];
}

/** An attribute, or a place in one: `attribute('claims', 3, 'reply')`. Any name goes, reserved words included. */
export const attribute = (...path: readonly [string, ...(string | number)[]]): Attribute => ({
  [part]: 'attribute',
  path,
});

/** An expression as a template: `${attribute(…)}`, other expressions, and values as they are. */
export const expression = (texts: TemplateStringsArray, ...operands: readonly unknown[]): Expression => ({
  [part]: 'expression',
  texts,
  operands,
});

/** Expressions side by side, e.g. with ` AND ` or `, ` between them. */
export const joined = (parts: readonly Expression[], separator: string): Expression => ({
  [part]: 'expression',
  texts: ['', ...parts.slice(1).map(() => separator), ''],
  operands: parts,
});

/** `SET` and `REMOVE` in one; what has no value is removed. */
export function update(
  values: Readonly<Record<string, unknown>>,
  computed: readonly Expression[] = [],
): Expression {
  const entries = Object.entries(values);
  const set = entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => expression`${attribute(name)} = ${value}`);
  const removed = entries
    .filter(([, value]) => value === undefined)
    .map(([name]) => expression`${attribute(name)}`);
  const sections = [
    ...(set.length + computed.length > 0 ? [expression`SET ${joined([...set, ...computed], ', ')}`] : []),
    ...(removed.length > 0 ? [expression`REMOVE ${joined(removed, ', ')}`] : []),
  ];
  return joined(sections, ' ');
}

export const exists = (name: string): Expression => expression`attribute_exists(${attribute(name)})`;
export const absent = (name: string): Expression => expression`attribute_not_exists(${attribute(name)})`;

const isAttribute = (operand: unknown): operand is Attribute =>
  typeof operand === 'object' && operand !== null && part in operand && operand[part] === 'attribute';
const isExpression = (operand: unknown): operand is Expression =>
  typeof operand === 'object' && operand !== null && part in operand && operand[part] === 'expression';

/** Turns the expressions of one request into text with placeholders, and collects what those stand for. */
export function compiler() {
  const names = new Map<string, string>();
  const values: Record<string, unknown> = {};

  const placeholder = (name: string) => {
    const known = names.get(name) ?? `#${names.size}`;
    names.set(name, known);
    return known;
  };
  const pathText = ({ path }: Attribute) =>
    path
      .map((step, n) =>
        typeof step === 'number' ? `[${step}]` : `${n === 0 ? '' : '.'}${placeholder(step)}`,
      )
      .join('');
  const operandText = (operand: unknown): string => {
    if (isAttribute(operand)) return pathText(operand);
    if (isExpression(operand)) return compile(operand);
    const name = `:${Object.keys(values).length}`;
    values[name] = operand;
    return name;
  };
  const compile = ({ texts, operands }: Expression): string =>
    texts.map((text, n) => text + (n < operands.length ? operandText(operands[n]) : '')).join('');

  return {
    compile: (each: Expression | undefined): string | undefined => each && compile(each),
    /** To be asked for once everything is compiled. */
    placeholders: () => ({
      ...(names.size > 0 && {
        ExpressionAttributeNames: Object.fromEntries([...names].map(([name, short]) => [short, name])),
      }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    }),
  };
}
