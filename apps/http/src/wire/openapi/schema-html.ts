import { type Html, html } from '../../page/html.ts'

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})

/** A sentence with code between backticks. */
export const proseHtml = (sentence: string): Html =>
  html`${sentence.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`

/** A schema as HTML: the fields of an object as a list, anything else as a line. */
export const schemaHtml = (schema: unknown): Html => {
  const { properties, required, items, allOf, anyOf, type } = fieldsOf(schema)
  if (properties !== undefined) return objectHtml(fieldsOf(properties), Array.isArray(required) ? required : [])
  // Later members only narrow the first one, and their description says how.
  if (Array.isArray(allOf)) return schemaHtml(allOf[0])
  if (Array.isArray(anyOf)) return html`<div class="choice">${anyOf.map(schemaHtml)}</div>`
  if (type === 'array') return html`<p class="kind">a list of</p>${schemaHtml(items)}`
  return html`<p class="kind">${lineOf(schema)}</p>`
}

const objectHtml = (properties: Fields, required: ReadonlyArray<unknown>): Html =>
  html`<dl>${Object.entries(properties).map(
    ([name, schema]) =>
      html`<dt><code>${name}</code> <span class="kind">${lineOf(schema)}${required.includes(name) ? '' : ', optional'}</span></dt>
<dd>${proseHtml(String(fieldsOf(schema).description ?? ''))}${innerHtml(schema)}</dd>`,
  )}</dl>`

/** The fields of an object without a name, inside its parent. */
const innerHtml = (schema: unknown): Html | null => {
  const { properties, items } = fieldsOf(schema)
  if (properties !== undefined || fieldsOf(items).properties !== undefined)
    return schemaHtml(properties === undefined ? items : schema)
  return null
}

const lineOf = (schema: unknown): Html => {
  const {
    $ref,
    anyOf,
    items,
    type,
    const: only,
    enum: words,
    pattern,
    maxLength,
    minimum,
    maximum,
    format,
    default: left,
  } = fieldsOf(schema)
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return html`<a href="#${name}">${name}</a>`
  }
  if (Array.isArray(anyOf))
    return html`${anyOf.map((each, index) => html`${index === 0 ? '' : ' or '}${lineOf(each)}`)}`
  if (only !== undefined) return html`${JSON.stringify(only)}`
  if (Array.isArray(words)) return html`${words.map((word) => JSON.stringify(word)).join(' or ')}`
  if (type === 'array') return html`list of ${lineOf(items)}`
  const limits = [
    format,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    minimum === undefined ? undefined : `from ${minimum}`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : `to ${maximum}`,
    pattern === undefined ? undefined : pattern,
    left === undefined ? undefined : `default ${JSON.stringify(left)}`,
  ].filter((limit) => limit !== undefined)
  return html`${[[type ?? 'any'].flat().join(' or '), ...limits].join(', ')}`
}
