/** A QR code as a picture: dark on white in both themes, as readers need it. */

import { useEffect, useState } from 'preact/hooks';
import { makeQrPath, type QrPath } from '../../../qr/qr-path.ts';

/** Drawn once its encoder is loaded; nothing if that fails. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const [code, setCode] = useState<QrPath | null>(null);
  useEffect(() => {
    // Its content is shown next to it as text.
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
