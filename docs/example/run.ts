/**
 * `npm run example` sells beside the sandbox that `npm start` serves. `npm run example -- --network testnet` sells on Stellar's
 * public testnet, and starts everything that it needs.
 */
import { parseArgs } from 'node:util'

const { network } = parseArgs({ options: { network: { type: 'string', default: 'sandbox' } } }).values

if (network === 'sandbox') await import('./first-payment.ts')
else if (network === 'testnet') await import('./first-sale-on-testnet.ts')
else {
  console.error(`--network takes sandbox or testnet, not ${network}.`)
  process.exitCode = 2
}
