/** Forms: a label for each field, what is wrong beside the button, one request at a time. */

import { type Child, el, withAttributes } from './dom.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'datetime-local' | 'textarea';
  readonly value?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  /** Makes it a choice: values and what stands there for them. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Makes it a group of boxes to tick: each is a value of its own, by its name, once it is ticked. */
  readonly checks?: readonly (readonly [name: string, label: string, hint: string])[];
}

export type Values = Readonly<Record<string, string>>;

let made = 0;

/** For password managers: whose password a form asks for. */
export function username(email: string): HTMLInputElement {
  const field = withAttributes(el('input', ''), {
    type: 'text',
    name: 'username',
    autocomplete: 'username',
    readonly: '',
    hidden: '',
  });
  field.value = email;
  return field;
}

/** `submit` throws what is then shown; its text is read out. */
export function form(
  fields: readonly Field[],
  action: string,
  submit: (values: Values, form: HTMLFormElement) => Promise<unknown>,
  ...more: readonly Child[]
): HTMLFormElement {
  const problem = withAttributes(el('p', 'problem'), { role: 'alert' });
  const send = withAttributes(el('button', 'primary', action), { type: 'submit' });
  const element = el(
    'form',
    '',
    ...fields.map(makeField),
    problem,
    el('div', 'actions', send, ...more),
  );
  element.noValidate = false;
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    problem.textContent = '';
    send.disabled = true;
    const values = Object.fromEntries(
      Array.from(new FormData(element), ([name, value]) => [name, String(value)]),
    );
    submit(values, element)
      .catch((error: unknown) => {
        problem.textContent = error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        send.disabled = false;
      });
  });
  return element;
}

function makeField(field: Field): HTMLElement {
  if (field.checks !== undefined) return makeChecks(field.label, field.checks);
  made += 1;
  const id = `field-${made}`;
  const control = makeControl(field);
  withAttributes(control, { id, name: field.name });
  if (field.required !== false) control.required = true;
  if (field.autocomplete !== undefined) control.setAttribute('autocomplete', field.autocomplete);
  if (field.value !== undefined) control.value = field.value;
  const label = withAttributes(el('label', '', field.label), { for: id });
  if (field.hint === undefined) return el('div', 'field', label, control);
  control.setAttribute('aria-describedby', `${id}-hint`);
  const hint = withAttributes(el('p', 'hint', field.hint), { id: `${id}-hint` });
  return el('div', 'field', label, control, hint);
}

function makeChecks(label: string, checks: NonNullable<Field['checks']>): HTMLElement {
  const rows = checks.map(([name, text, hint]) => {
    const box = withAttributes(el('input', ''), { type: 'checkbox', name });
    return el('label', 'check', box, el('span', '', el('strong', '', text), ` ${hint}`));
  });
  return el('fieldset', 'field', el('legend', '', label), ...rows);
}

function makeControl({
  type = 'text',
  options,
}: Field): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  if (options !== undefined) {
    const choices = options.map(([value, label]) =>
      withAttributes(el('option', '', label), { value }),
    );
    return el('select', '', ...choices);
  }
  if (type === 'textarea')
    return withAttributes(el('textarea', ''), { rows: '4', spellcheck: 'false' });
  return withAttributes(el('input', ''), { type, spellcheck: 'false' });
}
