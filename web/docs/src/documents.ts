/** The two documents as far as the page reads them. */

/** JSON Schema, the part of it that the contract uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  /** Of each element, or of the first, the second and so on; further elements are additional. */
  readonly items?: Schema | readonly Schema[];
  readonly additionalItems?: boolean | Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Schemas with a name, by it. */
export type Schemas = Readonly<Record<string, Schema>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface ErrorEntry {
  readonly code: string;
  /** The path, with placeholders in braces. */
  readonly message: string;
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly 'x-errors'?: readonly ErrorEntry[];
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  /** The kinds of key that it accepts. */
  readonly description?: string;
  readonly tags: readonly string[];
  /** Empty: without a key. */
  readonly security: readonly object[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Answer['content'] };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

export interface Message {
  readonly name: string;
  readonly summary: string;
  readonly payload: Schema;
  readonly examples?: readonly { readonly payload: unknown }[];
}

export interface Reference {
  readonly $ref: string;
}

export interface Channel {
  readonly title: string;
  readonly address?: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, Reference>>;
}

export interface SocketChannel extends Channel {
  readonly 'x-close-codes': readonly {
    readonly code: number;
    readonly reason: string;
    readonly means: string;
  }[];
  readonly 'x-reject-codes': Readonly<Record<string, string>>;
}

export interface MessageOperation {
  readonly messages: readonly Reference[];
  readonly reply?: { readonly messages: readonly Reference[] };
}

export interface AsyncApi {
  readonly channels: {
    readonly socket: SocketChannel;
    readonly socketV2: Channel;
    readonly eventStream: Channel;
    readonly webhook: Channel;
  };
  readonly operations: Readonly<Record<string, MessageOperation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Schemas;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** The last step of a reference. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** One call of the API: its address, and its description. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  /** By status, in the order of the document. */
  readonly answers: readonly (readonly [status: string, answer: Answer])[];
}

/** Every call, in the order of the document. */
export function callsOf({ paths, components }: OpenApi): readonly Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      parameters: operation.parameters.map((parameter) =>
        '$ref' in parameter ? components.parameters[nameOf(parameter.$ref)]! : parameter,
      ),
      answers: Object.entries(operation.responses).map(([status, answer]) => [
        status,
        '$ref' in answer ? components.responses[nameOf(answer.$ref)]! : answer,
      ]),
    })),
  );
}
