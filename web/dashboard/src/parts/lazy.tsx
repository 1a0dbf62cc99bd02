/** Pages that are loaded when they are opened. */

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, Loading } from './states.tsx';

/** `load` imports the page. A page that fails to load says so and offers a retry. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let known: ComponentType<Props> | null = null;
  return function Lazy(props) {
    const [, setTurn] = useState(0);
    const [error, setError] = useState<unknown>(null);
    const start = (): void => {
      setError(null);
      load().then((Page) => {
        known = Page;
        setTurn((turn) => turn + 1);
      }, setError);
    };
    useEffect(() => {
      if (known === null) start();
    }, []);
    if (known !== null) {
      const Page = known;
      return <Page {...props} />;
    }
    return error === null ? <Loading /> : <Failure error={error} retry={start} />;
  };
}
