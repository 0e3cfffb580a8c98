import { create } from 'qrcode'

/** Black on white in any scheme, with the quiet zone that cameras need. */
export const Qr = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { modules } = create(text, { errorCorrectionLevel: 'L' })
  const { size } = modules
  const squares = [...modules.data].flatMap((isDark, index) =>
    isDark ? [`M${index % size} ${Math.floor(index / size)}h1v1h-1z`] : [],
  )
  return (
    <svg class="qr" viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={label}>
      <path d={squares.join('')} />
    </svg>
  )
}
