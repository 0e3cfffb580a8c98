import fc from 'fast-check'
import { html, jsonHtml } from './html.ts'

describe('markup', () => {
  it('markup escapes every text, in content and in attributes', () =>
    expect(html`<a title="${`"'><script>`}">${'<b>&amp;</b>'}</a>`.markup).toBe(
      '<a title="&quot;&#39;&gt;&lt;script&gt;">&lt;b&gt;&amp;amp;&lt;/b&gt;</a>',
    ))

  it('markup keeps nested markup, joins lists and renders null as nothing', () =>
    expect(html`<ul>${['a', '<'].map((item) => html`<li>${item}</li>`)}${null}${3}</ul>`.markup).toBe(
      '<ul><li>a</li><li>&lt;</li>3</ul>',
    ))

  it('markup never lets a text add a character of the syntax', () =>
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(html`${text}`.markup).not.toMatch(/[<>"']/))))
})

describe('JSON in a script element', () => {
  it('JSON cannot end its script element, and parses to the same value', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.constantFrom('</script>', '<!--', ']]>', '&lt;', '\u2028')),
        (value) => {
          const { markup } = jsonHtml(value)
          expect(markup).not.toMatch(/[<>&\u2028\u2029]/)
          expect(JSON.stringify(JSON.parse(markup))).toBe(JSON.stringify(value))
        },
      ),
    ))
})
