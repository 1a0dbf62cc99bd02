/** The shipped list of passwords that are tried first. No call of the network. */

export type PasswordList = () => Promise<ReadonlySet<string>>;

/** 49,233 of them, in small letters, unpacked when they are first asked for: 3 ms. */
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
