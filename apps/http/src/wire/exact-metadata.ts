import { numberText, OneOrManyType } from '@quittance/client/wire'
import * as t from 'io-ts'
import { HttpError } from './errors.ts'

/** Whether a codec, or any of several, reads metadata. */
export const hasMetadata = (body: t.Mixed | { readonly bodies: Readonly<Record<string, t.Mixed>> }): boolean => {
  if ('bodies' in body) return Object.values(body.bodies).some(hasMetadata)
  if (body instanceof OneOrManyType) return hasMetadata(body.codec)
  return body instanceof t.InterfaceType && 'metadata' in body.props
}

/**
 * The metadata itself. Throws 400 `invalid_metadata` for a number that JSON would return as another one, because
 * numbers are doubles here. `1.50` may become `1.5`, which is equal.
 */
export const exactMetadata = (metadata: unknown): unknown => {
  const pending = [metadata]
  while (pending.length > 0) {
    const holder = pending.pop()
    if (typeof holder !== 'object' || holder === null) continue
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value !== 'number') pending.push(value)
      else if (!isWrittenBack(value, numberText(holder, key))) throw inexact(key)
    }
  }
  return metadata
}

const inexact = (key: string): HttpError =>
  new HttpError(400, 'invalid_metadata', `The number at "${key}" cannot be kept exactly: send it as a string`, {
    param: 'metadata',
  })

const isWrittenBack = (number: number, text: string | undefined): boolean =>
  text === undefined || (Number.isFinite(number) && decimal(text) === decimal(String(number)))

/** A canonical text of a decimal: its digits without zeros at either end, and the exponent of the last one. */
const decimal = (text: string): string => {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  let length = digits.length
  while (digits[length - 1] === '0') length--
  if (length === 0) return '0'
  const power = Number(exponent) - fraction.length + digits.length - length
  return `${mantissa.startsWith('-') ? '-' : ''}${digits.slice(0, length)}e${power}`
}
