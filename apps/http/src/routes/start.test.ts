import { readFileSync } from 'node:fs'
import { renderStartPage, startLinks } from '../page/index.ts'
import { inEnglish } from '../page/testing/readers.ts'
import { type Service, startService } from '../testing/service.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('the address of the service', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  const opened = (accept: string, path = '/') => fetch(`${service.url}${path}`, { headers: { accept } })

  it('shows browsers a page that links to the quickstart, the reference and the state of the service', async () => {
    const answer = await opened(browser)
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'accept, accept-language',
    ])
    const linked = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path)
    expect(linked.sort()).toEqual([...Object.values(startLinks), '/?lang=de'].sort())
    const statuses = await Promise.all(linked.map(async (path) => (await opened(browser, path)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it.each([
    ['/', 'de-AT,en;q=0.5', 'de', 'Zum Bezahlen'],
    ['/?lang=de', 'en', 'de', 'Zum Bezahlen'],
    ['/?lang=en', 'de', 'en', 'To pay'],
    ['/', 'fr', 'en', 'To pay'],
  ])('speaks the language of %s to a browser that likes %s: %s', async (path, likes, language, heading) => {
    const answer = await fetch(`${service.url}${path}`, { headers: { accept: 'text/html', 'accept-language': likes } })
    expect([answer.status, answer.headers.get('content-language')]).toEqual([200, language])
    const text = await answer.text()
    expect(text).toContain(`<html lang="${language}" dir="ltr">`)
    expect(text).toContain(`<h2>${heading}</h2>`)
  })

  it('gives programs the same links as JSON', async () => {
    const links = { name: 'Quittance', ...startLinks }
    for (const accept of ['application/json', '*/*']) {
      const answer = await opened(accept)
      expect([answer.status, await answer.json()]).toEqual([200, links])
    }
  })

  it('shows no script, no secret and no version, under the headers of all pages', async () => {
    const [start, reference] = await Promise.all([opened(browser), opened(browser, '/docs')])
    const text = await start.text()
    expect(text).not.toMatch(/<script|style="|\son\w+=|\d\.\d+\.\d/)
    for (const secret of [service.facts.api_key, service.facts.merchant_id, service.dataDir])
      expect(text).not.toContain(secret)
    expect(start.headers.get('content-security-policy')).toBe(reference.headers.get('content-security-policy'))
    expect(start.headers.get('server')).toBeNull()
  })

  it('serves the quickstart as text', async () => {
    const answer = await opened(browser, '/quickstart')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe(readFileSync(new URL('../../../../docs/quickstart.md', import.meta.url), 'utf8'))
  })
})

it('tells of a sandbox only where there is one', () => {
  expect(renderStartPage(inEnglish, { isSandbox: true })).toContain('sandbox.json')
  expect(renderStartPage(inEnglish, { isSandbox: false })).not.toMatch(/sandbox|test money/)
})
