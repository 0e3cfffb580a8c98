import { returnUrl } from './redirect.ts'

describe('the return address of the merchant', () => {
  it.each([
    ['https://shop.example', 'https://shop.example/?checkout_id=chk_1'],
    ['http://shop.example/a?b=c%20d&b=+', 'http://shop.example/a?b=c%20d&b=+&checkout_id=chk_1'],
    [
      'https://shop.example/a?&checkout_ids=1&?checkout_id=2',
      'https://shop.example/a?&checkout_ids=1&?checkout_id=2&checkout_id=chk_1',
    ],
    ['https://shop.example/a#done', 'https://shop.example/a?checkout_id=chk_1#done'],
  ])('keeps the return address %s and its query, and adds the id', (given, expected) =>
    expect(returnUrl(given, 'chk_1')).toBe(expected),
  )

  it.each([
    ['https://shop.example/?checkout_id=chk_0', 'https://shop.example/?checkout_id=chk_1'],
    ['https://shop.example/?checkout_id', 'https://shop.example/?checkout_id=chk_1'],
    ['https://shop.example/?checkout%5Fid=x&b=+%20&checkout_id=', 'https://shop.example/?b=+%20&checkout_id=chk_1'],
  ])('replaces the id in the return address %s', (given, expected) => expect(returnUrl(given, 'chk_1')).toBe(expected))

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://shop.example', '/thanks', ''])(
    'rejects the return address "%s"',
    (given) => expect(returnUrl(given, 'chk_1')).toBeNull(),
  )
})
