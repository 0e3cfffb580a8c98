import QRCode from 'qrcode'

/**
 * The QR code of a SEP-7 URI as an SVG document, black on white with its quiet zone. It has a `viewBox` and no size:
 * the page gives it one. Error correction M: a URI of 350 characters still reads from a phone's screen.
 */
export const renderQr = (sep7Uri: string): Promise<string> =>
  QRCode.toString(sep7Uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
