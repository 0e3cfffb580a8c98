import { readFileSync } from 'node:fs'
import { Address, contract, Operation } from '@stellar/stellar-sdk'
import { formerMandateHashes } from '../contracts/index.ts'
import { hexOf, sha256 } from '../network.ts'
import { testPassphrase, trustline, usdc } from '../testing/fixture.ts'
import { called, callOf, customer, operator, payee, serveMandates, termsOf } from '../testing/mandates.ts'

const codeOf = (hash: string): Buffer =>
  readFileSync(new URL(`../../../../contracts/mandate/former/${hash.slice(0, 8)}.wasm`, import.meta.url))

describe.each(formerMandateHashes)('the mandate contract of a former version, %s', (hash) => {
  it('runs on, and its mandates are charged', async () => {
    const wasm = codeOf(hash)
    expect(hexOf(sha256(wasm))).toBe(hash)
    const served = await serveMandates()
    const asOperator = { source: operator }
    await called(served, Operation.uploadContractWasm({ wasm }), asOperator)
    const creation = { address: new Address(operator.publicKey()), wasmHash: Buffer.from(hash, 'hex') }
    const contractId = String(await called(served, Operation.createCustomContract(creation), asOperator))
    const rpcUrl = served.url
    const { spec } = await contract.Client.from({
      contractId,
      networkPassphrase: testPassphrase,
      rpcUrl,
      allowHttp: true,
    })
    const callFrom = (name: string, args: object, source: typeof customer) =>
      called(served, callOf(contractId, name, spec.funcArgsToScVals(name, args), { source }), { source })
    const mandate = await callFrom('create', termsOf(served), customer)
    const period_start = BigInt(served.sandbox.read.range().latest.closeTime)
    const charge = { mandate, period_start, amount: 30_000_000n, reference: Buffer.from('pay_1') }
    const before = trustline(served.sandbox, payee, usdc).balance
    expect(await callFrom('charge_many', { operator: operator.publicKey(), charges: [charge] }, operator)).toEqual([0])
    expect(trustline(served.sandbox, payee, usdc).balance - before).toBe(30_000_000n)
    await served.close()
  })
})
