import { spelled } from './text.ts'

/** Who somebody is, and what a merchant noted of them: histories hold nothing personal. */
const personal = ['email', 'name', 'phone', 'image', 'billing_details', 'metadata']

/** What other fields say for people, or what changes by itself. */
const repeated = ['id', 'object', 'status', 'environment', 'synced_at', 'updated_at']

const isLeftOut = (field: string, of: string): boolean =>
  personal.includes(field) || (of === '' && repeated.includes(field)) || /(_url|_stroops|_cents)$/.test(field)

/** What people call a part, where its field is named for programs. */
const spoken = new Map([
  ['payment_method_details', 'payer'],
  ['line_items', 'refunds'],
  ['asset_id', 'asset'],
])

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? `${spelled(text)} UTC` : text
}

/** The fields of a resource with their names in words, those of a part behind its name, such as `authorization cap`. */
export const fieldsOf = (resource: object, of = ''): ReadonlyArray<readonly [name: string, value: string]> =>
  Object.entries(resource).flatMap(([field, value]: [string, unknown]) => {
    if (isLeftOut(field, of)) return []
    const name = `${of}${Array.isArray(resource) ? Number(field) + 1 : (spoken.get(field) ?? field.replaceAll('_', ' '))}`
    return typeof value === 'object' && value !== null ? fieldsOf(value, `${name} `) : [[name, shown(value)] as const]
  })
