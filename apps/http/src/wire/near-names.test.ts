import { isRepeatable, isSpellingOf, nearestName } from './near-names.ts'

const known = ['customer_id', 'redirect_url', 'trial_days', 'amount', 'created[gte]']

describe('the nearest name', () => {
  it.each([
    ['customerId', 'customer_id'],
    ['customer-id', 'customer_id'],
    ['customer_id[]', 'customer_id'],
    [`${'_'.repeat(40)}amount`, null],
    ['costumer_id', 'customer_id'],
    ['customer', 'customer_id'],
    ['REDIRECT_URL', 'redirect_url'],
    ['redirect_uri', 'redirect_url'],
    ['trial_period_days', 'trial_days'],
    ['trial_in_days', 'trial_days'],
    ['trialPeriodDays', 'trial_days'],
    ['trial-period-days', 'trial_days'],
    ['days_of_trial', null],
    ['ammount', 'amount'],
    ['account', null],
    ['created[gt]', 'created[gte]'],
    ['order_number', null],
    ['id', null],
    ['', null],
    ['__proto__', null],
    ['constructor', null],
  ])('of %s is %s', (name, expected) => expect(nearestName(name, known)).toBe(expected))

  it('is the one that differs least', () =>
    expect(nearestName('redirect_urls', ['redirect_uri', 'redirect_url'])).toBe('redirect_url'))
})

describe('another spelling', () => {
  it.each(['successUrl', 'SUCCESS_URL', 'success-url', 'success_page_url', 'successPageURL'])(
    'of success_url is %s',
    (name) => expect(isSpellingOf(name, 'success_url')).toBe(true),
  )

  it.each(['success_uri', 'url', 'success', '', `success_${'x'.repeat(40)}_url`])('of success_url is not %j', (name) =>
    expect(isSpellingOf(name, 'success_url')).toBe(false),
  )
})

describe('an error', () => {
  it.each(['limit', 'customerId', 'created[gt]', 'a1', 'x'.repeat(40)])('repeats a short name of letters: %s', (name) =>
    expect(isRepeatable(name)).toBe(true),
  )

  it.each([
    '',
    '__proto__',
    'x'.repeat(41),
    '<script>',
    'a b',
    'a\nb',
    'a@b.example',
    'a[]',
    'a[b][c]',
    'ä',
    'a[toolong]',
  ])('does not repeat another name: %j', (name) => expect(isRepeatable(name)).toBe(false))
})
