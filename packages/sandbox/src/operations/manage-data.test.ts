import { Operation, xdr } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import { accountEntry, funded, keyNumber, outcomeOf, sandboxInMemory, signed } from '../testing/fixture.ts'

const account = keyNumber(1)
const name = 'config.memo_required'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, account)
})

const manage = (dataName: string, value: string | null) =>
  outcomeOf(sandbox, signed(sandbox, account, [Operation.manageData({ name: dataName, value })]))

const stored = (): string | undefined => {
  const key = new xdr.LedgerKeyData({ accountId: account.xdrAccountId(), dataName: name })
  const data = sandbox.read.findEntry(xdr.LedgerKey.data(key))?.data
  return data?.type === 'data' ? Buffer.from(data.data.dataValue.value).toString() : undefined
}

describe('managing data', () => {
  it('sets, replaces and removes a data value, which is one subentry', () => {
    expect(manage(name, '1')).toBe('txSuccess')
    expect(manage(name, '0')).toBe('txSuccess')
    expect(stored()).toBe('0')
    expect(accountEntry(sandbox, account).numSubEntries).toBe(1)
    expect(manage(name, null)).toBe('txSuccess')
    expect(stored()).toBeUndefined()
    expect(accountEntry(sandbox, account).numSubEntries).toBe(0)
  })

  it('refuses to remove a missing value', () => {
    expect(manage(name, null)).toBe('manageDataNameNotFound')
  })

  it('refuses an unprintable name', () => {
    expect(manage('a\nb', '1')).toBe('manageDataInvalidName')
  })
})
