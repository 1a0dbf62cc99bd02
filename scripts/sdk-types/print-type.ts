/**
 * Prints JSON Schema, as far as the contract uses it, as TypeScript. Throws for anything unknown.
 */

/** A schema, or a part of one, as plain data. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
}

/** A component's name in the code; the same name for most. */
export type NameOf = (component: string) => string;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** `indent` is that of the line on which the type stands. */
export function printType(schema: Schema, nameOf: NameOf, indent = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.allOf?.length === 1) return printType(schema.allOf[0]!, nameOf, indent);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return printChoices(choices, nameOf, indent);
  if (Array.isArray(schema.type)) {
    const each = schema.type.map((type: string) => ({ ...schema, type }));
    return printChoices(each, nameOf, indent);
  }
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return schema.prefixItems === undefined
        ? printArray(schema.items ?? {}, nameOf, indent)
        : printTuple(schema.prefixItems, nameOf, indent);
    case 'object':
      return printObject(schema, nameOf, indent);
    default:
      throw new Error(`no type is known for ${JSON.stringify(schema)}`);
  }
}

function printChoices(choices: readonly Schema[], nameOf: NameOf, indent: string): string {
  const printed = choices.map((each) => printType(each, nameOf, indent));
  return [...new Set(printed)].join(' | ');
}

function printArray(items: Schema, nameOf: NameOf, indent: string): string {
  const item = printType(items, nameOf, indent);
  return / \| |^readonly /.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function printTuple(items: readonly Schema[], nameOf: NameOf, indent: string): string {
  return `readonly [${items.map((each) => printType(each, nameOf, indent)).join(', ')}]`;
}

function printObject(schema: Schema, nameOf: NameOf, indent: string): string {
  const { properties = {}, additionalProperties: others } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) return printRecord(schema, nameOf, indent);
  const inner = `${indent}  `;
  const fields = names.map((name) => printField(schema, name, nameOf, inner));
  // Beside named fields the rest can only be unknown: an index signature has to fit them all.
  const isOpen = typeof others === 'object';
  if (isOpen) fields.push(`${inner}readonly [name: string]: unknown;\n`);
  return `{\n${fields.join('')}${indent}}`;
}

function printRecord(schema: Schema, nameOf: NameOf, indent: string): string {
  const { additionalProperties: values, propertyNames: keys, required = [] } = schema;
  const value = typeof values === 'object' ? printType(values, nameOf, indent) : 'unknown';
  const isClosed = keys?.$ref !== undefined || keys?.enum !== undefined;
  if (!isClosed) return `Readonly<Record<string, ${value}>>`;
  const record = `Readonly<Record<${printType(keys, nameOf, indent)}, ${value}>>`;
  return required.length > 0 ? record : `Partial<${record}>`;
}

function printField(schema: Schema, name: string, nameOf: NameOf, indent: string): string {
  const field = schema.properties![name]!;
  const isRequired = schema.required?.includes(name) === true;
  const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
  const type = printType(field, nameOf, indent);
  const value = isRequired || type === 'unknown' ? type : `${type} | undefined`;
  return `${printComment(field.description, indent)}${indent}readonly ${key}${isRequired ? '' : '?'}: ${value};\n`;
}

/** A description above what it describes; nothing when there is none. */
export function printComment(description: string | undefined, indent = ''): string {
  return description === undefined
    ? ''
    : `${indent}/** ${description.replaceAll('*/', '* /')} */\n`;
}

/** One exported type. */
export function printDeclaration(name: string, schema: Schema, nameOf: NameOf): string {
  const comment = printComment(schema.description);
  const type = printType(schema, nameOf);
  const isInterface = schema.properties !== undefined;
  return isInterface
    ? `${comment}export interface ${name} ${type}\n`
    : `${comment}export type ${name} = ${type};\n`;
}
