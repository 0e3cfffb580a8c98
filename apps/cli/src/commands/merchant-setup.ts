import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { usageError } from '../command-error.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'
import { settlementResult } from './settlement-result.ts'

export const merchantSetup: Command = {
  name: 'merchant setup',
  summary: 'Shows the state of a settlement account, and sets it up.',
  explanation: `Shows the settlement account of a merchant as it is on the ledger: whether it exists, its XLM and the network's reserve,
the trustline of each accepted asset, the missing XLM to the stroop, and the next step. A merchant without an account in
the environment gets one. The service adds the trustlines by itself as soon as the account can afford them; on a test
network with a friendbot it also creates the account.

With --sponsor, the operator account creates the account, pays its reserves and, without channels, its fees: the merchant
needs no XLM. Each merchant takes 1 XLM of the operator account, and 0.5 XLM for each trustline; five XLM stay for the
operator account itself. With --stop-sponsoring, the merchant's account pays for everything that is set up from then on.

--json prints the data of GET /settlement.`,
  options: [
    merchantOption,
    environmentOption,
    new Option('--sponsor', 'The operator account pays the reserves.'),
    new Option('--stop-sponsoring', 'The operator account pays no further reserves.'),
  ],
  needsSoundLog: true,
  example: {
    words: '--environment testnet',
    prints: `environment  testnet
network      Test SDF Network ; September 2015
address      GSETTLEMENT…
exists       no
balance      0 XLM
reserve      0 XLM
missing      1.51 XLM
ready        no

ASSET    TRUSTLINE   BALANCE  DEFAULT
USDC:G…  missing     0        yes
native   not_needed  0        no

Next: Send at least 1.51 XLM to GSETTLEMENT….`,
    json: '{"object":"settlement","environment":"testnet","address":"G…","exists":false,"missing":"1.51",…}',
  },
  run: async (line, installation, screen) => {
    const [begins, ends] = [line.isSet('sponsor'), line.isSet('stop-sponsoring')]
    if (begins && ends) return E.left(usageError('--sponsor and --stop-sponsoring exclude each other.'))
    const isSponsored = begins || ends ? begins : undefined
    return forMerchant(line, installation, async ({ settlementAccounts }, context) => {
      const settlement = await settlementAccounts.setUp(context, { isSponsored })()
      return E.isLeft(settlement) ? settlement : E.right(await settlementResult(settlement.right, screen.showsOutput))
    })
  },
}
