/** Describes an action by its fields, and parses untrusted input by that description. */

import { fieldFault, ownField } from './field.ts';

/** One field of an action. */
export interface Field<T> {
  /** Its valid values, for messages: `a whole number from 0 to 63`. */
  readonly wanted: string;
  /** The value, lists copied; undefined if it is not valid. */
  read(value: unknown): T | undefined;
}

/** A field that may be absent. */
export interface OptionalField<T> extends Field<T> {
  readonly isOptional: true;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<F> = F extends Field<infer T> ? T : never;
type OptionalNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends OptionalField<unknown> ? Name : never;
}[keyof F];
type Flat<T> = { [Name in keyof T]: T[Name] };

/** The type of the actions that fields describe. */
export type ActionOf<F extends Fields> = Flat<
  { readonly [Name in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[Name]> } & {
    readonly [Name in OptionalNames<F>]?: ValueOf<F[Name]>;
  }
>;

/** The two members of a game that parse input. */
export interface Shape<Action> {
  parseAction(input: unknown): Action | null;
  actionFault(input: unknown): string | null;
}

/**
 * Makes a parser of objects with these fields. Only own data properties count: no getter runs, nothing is inherited.
 * Unknown fields are dropped. An object without any of the fields is not an action, even if all are optional.
 */
export function shape<F extends Fields>(fields: F): Shape<ActionOf<F>> {
  const names = Object.keys(fields);
  const faultOf = (input: unknown): string | null => {
    if (names.every((name) => ownField(input, name) === undefined)) {
      return `${names.join(' or ')} is required`;
    }
    for (const [name, field] of Object.entries(fields)) {
      const value = ownField(input, name);
      if (value === undefined && isOptional(field)) continue;
      const fault = fieldFault(value, name, (it) => field.read(it) !== undefined, field.wanted);
      if (fault !== null) return fault;
    }
    return null;
  };
  return {
    actionFault: faultOf,
    parseAction(input) {
      if (faultOf(input) !== null) return null;
      const values = names.map(
        (name) => [name, fields[name]!.read(ownField(input, name))] as const,
      );
      return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ActionOf<F>;
    },
  };
}

/** A whole number, bounds included. Not -0, which would give one action two forms. */
export function wholeNumber(min: number, max: number): Field<number> {
  return {
    wanted: `a whole number from ${min} to ${max}`,
    read: (value) =>
      typeof value === 'number' &&
      Number.isSafeInteger(value) &&
      !Object.is(value, -0) &&
      value >= min &&
      value <= max
        ? value
        : undefined,
  };
}

/** One of the given words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Field<Word> {
  return {
    wanted: `one of ${words.join(', ')}`,
    read: (value) => words.find((word) => word === value),
  };
}

/** True or false. */
export function flag(): Field<boolean> {
  return {
    wanted: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value : undefined),
  };
}

/** A list of `min` to `max` values of another field. */
export function listOf<T>(
  each: Field<T>,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): Field<readonly T[]> {
  return {
    wanted: `a list of ${min} to ${max}, each ${each.wanted}`,
    read(value) {
      if (!Array.isArray(value) || value.length < min || value.length > max) return undefined;
      const read: T[] = [];
      for (let index = 0; index < value.length; index += 1) {
        const found = each.read(Object.getOwnPropertyDescriptor(value, index)?.value);
        if (found === undefined) return undefined;
        read.push(found);
      }
      return read;
    },
  };
}

/** The same field, which may be absent. */
export function optional<T>(field: Field<T>): OptionalField<T> {
  return { ...field, isOptional: true };
}

function isOptional(field: Field<unknown>): boolean {
  return (field as Partial<OptionalField<unknown>>).isOptional === true;
}
