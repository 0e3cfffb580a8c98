import { returnUrl } from './redirect.ts'

describe('the way back to the merchant', () => {
  it.each([
    ['https://shop.example', 'https://shop.example/?checkout_id=chk_1'],
    ['http://shop.example/a?b=c%20d&b=+', 'http://shop.example/a?b=c%20d&b=+&checkout_id=chk_1'],
    ['https://shop.example/a#done', 'https://shop.example/a?checkout_id=chk_1#done'],
  ])('keeps the address %s and its query, and adds the id', (given, expected) =>
    expect(returnUrl(given, 'chk_1')).toBe(expected),
  )

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://shop.example', '/thanks', ''])('is not %s', (given) =>
    expect(returnUrl(given, 'chk_1')).toBeNull(),
  )
})
