import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Command } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'
import { settlementAnswer } from './settlement-answer.ts'

const name = 'merchant setup'

/** How far a settlement account is, and what is to be done next. */
export const merchantSetup: Command = {
  name,
  summary: 'Shows what a settlement account lacks, and has it set up.',
  explanation: `Shows the account that a merchant is paid to, as the ledger has it: whether it exists, its XLM and what the network
keeps of it, the trustline for each accepted asset, the missing XLM to the stroop, and what to do next. A merchant without
an account in the environment gets one. The service sets the trustlines by itself, as soon as the account can afford them;
on a test network with a friendbot it also creates the account.

With --sponsor, the operator account creates the account, keeps its reserves and, without channels, pays its fees: the
merchant needs no XLM. Each merchant takes 1 XLM of the operator account, and 0.5 XLM for each trustline; five XLM of it
stay for its own work. With --stop-sponsoring, what is set up from then on is paid for by the merchant's account.

--json prints what GET /settlement answers as its data.`,
  options: [
    merchantOption,
    environmentOption,
    new Option('--sponsor', 'The operator account keeps the reserves.'),
    new Option('--stop-sponsoring', 'It keeps no more of them.'),
  ],
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
  run: (given, site, screen) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const [begins, ends] = [given.isSet('sponsor'), given.isSet('stop-sponsoring')]
    if (begins && ends) return TE.left(misuse('--sponsor and --stop-sponsoring exclude each other.', name))
    const isSponsored = begins || ends ? begins : undefined
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) => {
          const context = { ...operatorContext(billing, environment.right), merchantId }
          return TE.mapLeft(complaintOf)(billing.settlementAccounts.setUp(context, { isSponsored }))
        }),
        TE.chainTaskK((shown) => () => settlementAnswer(shown, screen.showsAnswer)),
      ),
    )
  },
}
