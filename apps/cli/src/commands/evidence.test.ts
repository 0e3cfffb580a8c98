import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'

describe('evidence', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = testDirectory()
    await directory.json('merchant', 'create', '--name', 'Ada')
  })
  afterAll(() => directory.remove())
  const out = (): string => join(directory.path, 'evidence.json')
  const code = async (...words: ReadonlyArray<string>) => {
    const { stderr } = await directory.inside('evidence', '--out', out(), ...words, '--json')
    return JSON.parse(stderr).code
  }

  it('is about one thing', async () => {
    expect(await code()).toBe('usage')
    expect(await code('--payment', 'pay_1', '--customer', 'cus_1')).toBe('usage')
  })

  it('writes no file about what the merchant does not have', async () => {
    expect(await code('--payment', 'pay_1')).toBe('payment_not_found')
    expect(await code('--subscription', 'sub_1')).toBe('subscription_not_found')
    expect(await code('--customer', 'cus_1')).toBe('customer_not_found')
    expect(existsSync(out())).toBe(false)
  })
})
