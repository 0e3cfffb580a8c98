import { Container } from 'inversify'
import { sandboxRates } from '../../rates/sandbox-rates.ts'
import { ledgerModule, sandboxRatesModule } from './module.ts'
import { LEDGER_CONFIG, LEDGER_GATEWAYS, RATE_SOURCE } from './tokens.ts'

describe('the wiring of the ledger', () => {
  it('resolves one gateway for each configured environment, and the rates', () => {
    const container = new Container()
    container.load(ledgerModule, sandboxRatesModule)
    container.bind(LEDGER_CONFIG).toConstantValue({
      testnet: {
        urls: ['http://127.0.0.1:1', 'http://127.0.0.1:1/b'],
        networkPassphrase: 'A Network For Tests',
        timeoutMs: 1000,
      },
      mainnet: null,
      alarm: () => undefined,
    })
    const { testnet, mainnet } = container.get(LEDGER_GATEWAYS)
    expect([testnet?.networkPassphrase, mainnet]).toEqual(['A Network For Tests', null])
    expect(container.get(RATE_SOURCE)).toBe(sandboxRates)
  })
})
