import type { Billing, CommandContext } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandResult, option, type ParsedLine } from './command.ts'
import { type CommandError, refused, usageError } from './command-error.ts'
import { type Failure, failureError } from './failures.ts'
import type { Installation } from './installation.ts'

export const environmentOption = option('--environment <environment>', 'The Stellar network.')
  .choices(['testnet', 'mainnet'])
  .default('testnet')

export const merchantOption = option('--merchant <merchant_id>', 'The merchant. Optional while there is only one.')

/** Commander accepts these two names alone. */
export const environmentOf = (line: ParsedLine): Environment =>
  line.option('environment') === 'mainnet' ? 'mainnet' : 'testnet'

type Work<Context> = (billing: Billing, context: Context) => Promise<E.Either<CommandError | Failure, CommandResult>>

type OperatorContext = Omit<CommandContext, 'merchantId'>

/** A new command of the operator, at this moment. */
export const operatorContext = ({ clock, freshId }: Billing, environment: Environment): OperatorContext => {
  const commandId = freshId()
  return {
    environment,
    commandId,
    correlationId: commandId,
    causationId: null,
    actor: 'operator',
    at: clock.now(environment),
  }
}

/** Opens the platform, works in the environment that the line names, and closes the platform. */
export const inEnvironment = (
  line: ParsedLine,
  installation: Installation,
  work: Work<OperatorContext>,
): Promise<E.Either<CommandError, CommandResult>> =>
  installation.withBilling((billing) => work(billing, operatorContext(billing, environmentOf(line))))

/** Does the same for the merchant that the line names, or for the only one. */
export const forMerchant = (
  line: ParsedLine,
  installation: Installation,
  work: Work<CommandContext>,
): Promise<E.Either<CommandError, CommandResult>> =>
  inEnvironment(line, installation, async (billing, context) => {
    const merchantId = await merchantOf(billing, line)
    return E.isLeft(merchantId) ? merchantId : work(billing, { ...context, merchantId: merchantId.right })
  })

/** The id of the merchant that the line names, or of the only one. */
export const merchantOf = async ({ merchants }: Billing, line: ParsedLine): Promise<E.Either<CommandError, string>> => {
  const wanted = line.option('merchant')
  const ids = (await merchants.names()).map(({ merchantId }) => merchantId)
  if (wanted !== null)
    return ids.includes(wanted) ? E.right(wanted) : E.left(failureError({ _tag: 'MerchantNotFound' }))
  const [first, ...others] = ids
  if (first === undefined) {
    return E.left(refused('no_merchant', 'There is no merchant yet. Make one: quittance merchant create --name <name>'))
  }
  if (others.length === 0) return E.right(first)
  return E.left(usageError(`There are ${ids.length} merchants: say which with --merchant <merchant_id>.`))
}
