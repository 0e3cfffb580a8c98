import { problemInWords } from '@quittance/billing'
import { AssetId } from '@quittance/domain'
import { busy, type Fields, gone, type Of, type Problem, type Problems, storeDown } from './problem.ts'

/** Resources of other merchants or environments look as if they did not exist. */
const foreign = (stream: string, { product, customer }: Fields): Problem => {
  const category = stream.slice(0, stream.indexOf('-'))
  const params: Readonly<Record<string, string | undefined>> = { product, customer }
  return gone(category.replaceAll('_', ' '), params[category])
}

export const logRolledBack: Problem = [
  503,
  'log_rolled_back',
  'The service was restored from a backup, and takes no commands until its operator accepts that: try again later',
]

const networkReset: Problem = [
  503,
  'network_reset',
  'The network was reset, and nothing is begun on it until the operator of the service has started it anew: try again later',
]

export const storeProblems = {
  ForeignStream: ({ stream }, fields) => foreign(stream, fields),
  TooManyConflicts: () => busy,
  // A defect: logged and answered with 500.
  StepRejected: ({ stream, rejection }) => {
    throw new Error(`a step in ${stream} was rejected: ${rejection}`)
  },
  ClaimLost: () => [409, 'idempotency_key_in_use', 'A request with this idempotency key is being worked on'],
  StoreUnavailable: () => [...storeDown],
  SignerUnavailable: () => [...storeDown],
  ScreeningUnavailable: () => [...storeDown],
  NetworkWasReset: () => networkReset,
  Withheld: ({ cause }) => {
    if (cause === 'network_reset') return networkReset
    return cause === 'log_rolled_back' ? logRolledBack : [...storeDown]
  },
  OutcomeUnknown: () => [503, 'outcome_unknown', 'Nobody knows yet whether this was done: repeat the same request'],
  MerchantNotReady: ({ environment }) => [
    409,
    'merchant_not_ready',
    `Nothing can be sold on the ${environment} yet: the merchant has no settlement account there, or accepts no asset. GET /settlement says what to do`,
  ],
  CannotBePaid: ({ owner, problem }, { asset }) => {
    const { message, remedy } = problemInWords(owner, problem)
    return [
      409,
      'merchant_not_ready',
      `Nothing can be sold now: ${message} ${remedy}`,
      'assetId' in problem ? asset : undefined,
    ]
  },
  PayeeCannotBePaid: () => [
    409,
    'merchant_not_ready',
    'The merchant cannot be paid right now. Nothing was taken from you: try again later, or tell the merchant',
  ],
  KnownAhead: ({ now }) => [
    400,
    'invalid_request',
    `Nobody knows what will have been recorded: here it is ${new Date(now).toISOString()}`,
    'known_at',
  ],
  NetworkNotConfigured: ({ environment }) => [503, 'network_not_configured', `The ${environment} is not configured`],
  MerchantNotFound: () => gone('merchant'),
  AssetNotKnown: (_, { asset }) => [
    400,
    'unsupported_asset',
    'Not an asset of this network, named "native" or CODE:ISSUER: the operator declares others with QUITTANCE_ASSETS_TESTNET or QUITTANCE_ASSETS_MAINNET',
    asset,
  ],
  AssetNotAccepted: (failure, { asset }) => [400, 'unsupported_asset', notAccepted(failure, asset), asset],
} satisfies Partial<Problems>

const notAccepted = ({ assetId, meant }: Of<'AssetNotAccepted'>, field: string | undefined): string => {
  if (field === 'currency_code')
    return 'Neither a currency (GET /currencies lists them) nor an asset that you accept (GET /assets lists those)'
  if (meant !== null)
    return `An asset is named "native" or CODE:ISSUER: write "${meant}". GET /assets lists all in asset_id`
  return AssetId.is(assetId)
    ? 'You do not accept this asset: GET /assets lists those that you do, and PUT /settlement adds one'
    : 'No name of an asset: write "native", or CODE:ISSUER as GET /assets lists it in asset_id'
}
