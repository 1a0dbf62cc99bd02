/** A QR code as a picture: dark on white in either theme, as readers want it. */

import { useEffect, useState } from 'preact/hooks';
import { makeQrPath, type QrPath } from '../../../qr/qr-path.ts';

/** Drawn as soon as its encoder is loaded; nothing stands there where it cannot be. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const [code, setCode] = useState<QrPath | null>(null);
  useEffect(() => {
    // What it holds stands beside it as text.
    makeQrPath(text).then(setCode, () => setCode(null));
  }, [text]);
  if (code === null) return null;
  return (
    <div class="qr">
      <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label}>
        <path d={code.d} />
      </svg>
    </div>
  );
}
