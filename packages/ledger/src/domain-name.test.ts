import { isDomainName, originDomainOf } from './domain-name.ts'

describe('a domain name', () => {
  it.each(['shop.example', 'someDomain.com', 'a.b-c.1.co', 'xn--bcher-kva.example', `${'a'.repeat(63)}.example`])(
    'is %s',
    (name) => expect(isDomainName(name)).toBe(true),
  )
  it.each([
    'localhost',
    '127.0.0.1',
    '127.1',
    '0x7f.0x1',
    '[::1]',
    'shop.example.',
    'shop.example:443',
    '-a.example',
    'a-.example',
    'a..example',
    'a_b.example',
    'bücher.example',
    ' shop.example',
    'shop.example\n',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    '',
  ])('is never %p', (name) => expect(isDomainName(name)).toBe(false))

  it.each(['https://pay.shop.example', 'https://pay.shop.example/', 'https://PAY.shop.example:443'])(
    'speaks for %s',
    (url) => expect(originDomainOf(url)).toBe('pay.shop.example'),
  )
  it.each([
    'http://pay.shop.example',
    'http://127.0.0.1:3000',
    'https://127.0.0.1',
    'https://localhost',
    'https://pay.shop.example:8443',
    'https://shop.example/pay',
    'pay.shop.example',
    '',
  ])('is not taken from the URL %p', (url) => expect(originDomainOf(url)).toBeNull())
})
