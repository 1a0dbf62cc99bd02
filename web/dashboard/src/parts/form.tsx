/** Forms: a label for each field, the error next to the button, one request at a time. */

import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Failure } from './states.tsx';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'datetime-local' | 'textarea';
  readonly value?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  /** Makes it a select: values and their labels. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Makes it a group of checkboxes: each checked one is a value under its name. */
  readonly checks?: readonly (readonly [name: string, label: string, hint: string])[];
  /** Names of the boxes that are checked at first. */
  readonly checked?: readonly string[];
}

export type Values = Readonly<Record<string, string>>;

export function Form({
  fields,
  action,
  submit,
  cancel,
  username,
  children,
}: {
  readonly fields: readonly Field[];
  /** The label of the button. */
  readonly action: string;
  /** Its error is shown. */
  readonly submit: (values: Values) => Promise<unknown>;
  readonly cancel?: () => void;
  /** For password managers: the account whose password is entered. */
  readonly username?: string;
  readonly children?: ComponentChildren;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setError(null);
    try {
      await submit(Object.fromEntries(Array.from(data, ([name, value]) => [name, String(value)])));
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={send}>
      {username !== undefined && (
        <input
          type="text"
          name="username"
          autocomplete="username"
          value={username}
          readOnly={true}
          hidden={true}
        />
      )}
      {fields.map((field) => (
        <FormField key={field.name} field={field} />
      ))}
      {children}
      {error !== null && <Failure error={error} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {action}
        </button>
        {cancel !== undefined && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}

function FormField({ field }: { readonly field: Field }) {
  const id = useId();
  const { label, hint, checks, checked = [] } = field;
  if (checks !== undefined) return <Checks label={label} checks={checks} checked={checked} />;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Control id={id} field={field} />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Control({ id, field }: { readonly id: string; readonly field: Field }) {
  const { name, type = 'text', value = '', hint, required = true, autocomplete, options } = field;
  const shared = {
    id,
    name,
    required,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  };
  if (options !== undefined) {
    return (
      <select {...shared}>
        {options.map(([each, label]) => (
          <option key={each} value={each} selected={each === value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (type === 'textarea') {
    return <textarea {...shared} rows={4} spellcheck={false} defaultValue={value} />;
  }
  const props = { ...shared, type, spellcheck: false, autocomplete, defaultValue: value };
  // TypeScript cannot check roles by kind of input for a variable kind.
  return <input {...(props as InputHTMLAttributes)} />;
}

function Checks({
  label,
  checks,
  checked,
}: {
  readonly label: string;
  readonly checks: NonNullable<Field['checks']>;
  readonly checked: readonly string[];
}) {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {checks.map(([name, text, hint]) => (
        <label class="check" key={name}>
          <input type="checkbox" name={name} defaultChecked={checked.includes(name)} />
          <span>
            <strong>{text}</strong> {hint}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
