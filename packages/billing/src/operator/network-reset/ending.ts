import type { Environment, UnixMs } from '@quittance/domain'
import type { Found, Page, PageRequest, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { platform } from '../../kernel/platform.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { everyRow } from '../../services/every-row.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'

/** The end of what lived in an epoch of a network, as of the operator's decision. */
export type Ending = {
  readonly services: Services
  readonly environment: Environment
  readonly epoch: number
  readonly at: UnixMs
}

/** Ends what it finds, and answers how much that was. Whatever has ended already is not counted. */
export type EndSome = (ending: Ending) => Promise<E.Either<ProcessFailure, number>>

/** The step that ends one thing. Repeated after a crash, it writes nothing again. */
export const endingStep = ({ environment, epoch, at }: Ending, merchantId: string, id: string): CommandContext =>
  stepContext({ merchantId, environment }, `${environment}/${id}`, `network reset ${epoch}`, at)

/** The rows of all merchants and of the platform, collected before any of them changes. */
export const rowsOf = async <Row>(
  { services: { readModels, left }, environment }: Ending,
  page: (request: PageRequest) => Promise<Page<Row>>,
  status?: string,
): Promise<ReadonlyArray<Found<Row>>> => {
  const ofStatus = (request: PageRequest) => page(status === undefined ? request : { ...request, status })
  const here = await filterInTurn(await readModels.merchants.all(), async ({ id }) => !(await left.has(id)))
  const owners = [platform, ...here.map(({ id }) => id)]
  return (
    await Promise.all(
      owners.map(
        async (merchantId) => await Array.fromAsync(everyRow(ofStatus, { merchantId, environment } satisfies Scope)),
      ),
    )
  ).flat()
}

/** Ends each item, one after the other. */
export const endEach = async <A>(
  items: Iterable<A>,
  end: (item: A) => Promise<E.Either<ProcessFailure, unknown>>,
): Promise<E.Either<ProcessFailure, number>> => {
  let ended = 0
  for (const item of items) {
    const done = await end(item)
    if (E.isLeft(done)) return done
    ended += 1
  }
  return E.right(ended)
}
