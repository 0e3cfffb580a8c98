import { createClient } from '@quittance/client'
import { openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const png = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]).toString('base64')}`
const terms = { url: 'https://shop.example/terms', version: '2026-11' }
const named = {
  legal_name: 'Aurora Coffee GmbH',
  address: 'Hafenweg 1\n20457 Hamburg',
  tax_id: 'DE123456789',
  support_contact: 'help@shop.example',
  terms,
  logo: png,
}
const put = (body: object) => service.api('/merchant', { method: 'PUT', body })
const pageOf = async (id: string) => (await fetch(`${service.url}/pay/${id}`)).text()

describe('who the merchant is', () => {
  it('keeps what a change leaves out, and removes what is null', async () => {
    const { merchant } = createClient({ baseUrl: service.url, apiKey: service.facts.api_key })
    const nothing = { legal_name: null, address: null, tax_id: null, support_contact: null, terms: null, logo: null }
    expect(await merchant.retrieve()).toMatchObject({ object: 'merchant', environment: 'testnet', ...nothing })
    expect(await merchant.update(named)).toMatchObject(named)
    const { name: _, ...other } = { ...named, name: '' }
    expect(await merchant.update({ tax_id: null })).toMatchObject({ ...other, tax_id: null })
    expect((await service.api('/merchant')).body.data).toMatchObject({ ...other, tax_id: null })
    await put(named)
  })

  it('is shown on the page of a checkout', async () => {
    await put(named)
    const page = await pageOf((await openSale(service)).id)
    for (const shown of ['Aurora Coffee GmbH', '20457 Hamburg', 'DE123456789', 'mailto:help%40shop.example', png])
      expect(page).toContain(shown)
  })

  it('records the terms of a sale as they were when its checkout was opened, and when they were accepted', async () => {
    await put({ terms })
    const { id } = await openSale(service)
    await put({ terms: { ...terms, version: 'later' } })
    expect(await pageOf(id)).toContain('<bdi>2026-11</bdi>')
    expect((await service.anyone(`/pay/${id}/quote`)).body.data.terms).toEqual(terms)
    const shown = async () => (await service.api(`/checkout/${id}`)).body.data
    expect((await shown()).terms).toEqual({ ...terms, accepted_at: null })
    await service.api('/sandbox/pay', { body: { checkout_id: id } })
    const { completed_at, terms: accepted } = await shown()
    expect(accepted).toEqual({ ...terms, accepted_at: completed_at })
    expect(completed_at).not.toBeNull()
  })

  it.each([
    ['legal_name', 'x'.repeat(201)],
    ['legal_name', 'Aurora \u202egnp.exe'],
    ['legal_name', 'two\nlines'],
    ['legal_name', ' '],
    ['address', 'line\n'.repeat(9)],
    ['tax_id', 'x'.repeat(10_000)],
    ['terms', { url: 'http://shop.example/terms', version: '1' }],
    ['terms', { url: 'https://shop.example/terms' }],
    ['logo', 'https://elsewhere.example/logo.png'],
    ['logo', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['logo', `data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['logo', `${png.slice(0, 30)}${'A'.repeat(44_000)}`],
  ])('rejects %s %j', async (field, value) => {
    const { status, body } = await put({ [field]: value })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' })
    expect(body.param).toMatch(new RegExp(`^${field}`))
  })

  it('keeps hostile names as text', async () => {
    const hostile = '</p><script>alert(1)</script>'
    await put({ legal_name: hostile, address: hostile, tax_id: hostile, support_contact: hostile })
    const page = await pageOf((await openSale(service)).id)
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('&lt;script&gt;alert(1)')
    await put(named)
  })
})
