import { create } from 'qrcode/lib/core/qrcode.js'

const NAMESPACE = 'http://www.w3.org/2000/svg'
const QUIET = 4

const svgElement = (name, attributes) => {
  const made = document.createElementNS(NAMESPACE, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

/** A QR code as an SVG element, black on white with its quiet zone. */
export const qrOf = (text) => {
  const { size, data } = create(text, { errorCorrectionLevel: 'L' }).modules
  const side = size + 2 * QUIET
  const dark = [...data].flatMap((isDark, index) =>
    isDark ? [`M${QUIET + (index % size)} ${QUIET + Math.floor(index / size)}h1v1h-1z`] : [],
  )
  const svg = svgElement('svg', { viewBox: `0 0 ${side} ${side}`, 'shape-rendering': 'crispEdges' })
  svg.append(
    svgElement('path', { fill: '#fff', d: `M0 0h${side}v${side}H0z` }),
    svgElement('path', { fill: '#000', d: dark.join('') }),
  )
  return svg
}
