import { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Given, option } from '../command.ts'
import { type Complaint, misuse } from '../complaint.ts'

export const environmentOption = option('--environment <environment>', 'testnet (unless given) or mainnet.')

/** The network that a line means. */
export const whichEnvironment = (given: Given, command: string): E.Either<Complaint, Environment> =>
  E.mapLeft(() => misuse('--environment must be testnet or mainnet.', command))(
    Environment.decode(given.option('environment') ?? 'testnet'),
  )
