import QRCode from 'qrcode'

/**
 * The QR code of a SEP-7 URI as an SVG document, black on white with its quiet zone. It has a `viewBox` and no size:
 * the page gives it one. Error correction L: a screen has no scratches, and larger squares read from further away.
 */
export const renderQr = (sep7Uri: string): Promise<string> =>
  QRCode.toString(sep7Uri, { type: 'svg', errorCorrectionLevel: 'L', margin: 4 })
