/** Markup that is safe to send. Only the `html` tag and `trustedHtml` make it. */
export type Html = { readonly markup: string }

type Fragment = Html | string | number | null | ReadonlyArray<Html>

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const isList = (fragment: Fragment): fragment is ReadonlyArray<Html> => Array.isArray(fragment)

const render = (fragment: Fragment): string => {
  if (fragment === null) return ''
  if (typeof fragment === 'string') return escapeText(fragment)
  if (typeof fragment === 'number') return String(fragment)
  if (isList(fragment)) return fragment.map(render).join('')
  return fragment.markup
}

/** A template that escapes its texts for element content and quoted attributes. Unquoted attributes are not safe. */
export const html = (parts: TemplateStringsArray, ...fragments: ReadonlyArray<Fragment>): Html => ({
  markup: parts.map((part, index) => part + render(fragments[index] ?? null)).join(''),
})

/** Markup that this program made by other means, such as a QR code. Never for text from outside. */
export const trustedHtml = (markup: string): Html => ({ markup })

/**
 * A value as JSON for a `<script type="application/json">`. It cannot end the element or start a comment, so it needs
 * no further escaping.
 */
export const jsonHtml = (value: unknown): Html =>
  trustedHtml(
    JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
