import QRCode from 'qrcode'

/**
 * The QR code of a SEP-7 URI as an SVG document, black on white with its quiet zone. The page sets its size, so it has
 * only a `viewBox`. Error correction L: a screen has no scratches, and larger squares are readable from further away.
 */
export const renderQr = (sep7Uri: string): Promise<string> =>
  QRCode.toString(sep7Uri, { type: 'svg', errorCorrectionLevel: 'L', margin: 4 })
