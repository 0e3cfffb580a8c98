import { type Member, memberIn, Team, type TeamCommand, type TeamRejection, type TeamState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { rememberedStreams } from '../kernel/remembered.ts'
import { type TeamServices, teamContext } from './services.ts'

/** The teams by their streams, as current as these, since each request of a member reads one. */
export const teamStreams = (services: TeamServices) => {
  const streams = rememberedStreams(services.store, Team)
  const stateOf = async (merchantId: string): Promise<E.Either<StoreUnavailable, TeamState>> =>
    E.map(({ state }: { readonly state: TeamState }) => state)(await streams.read(merchantId))
  return {
    stateOf,
    /** A member who has not been removed; null for nobody. */
    member: async (merchantId: string, memberId: string): Promise<E.Either<StoreUnavailable, Member | null>> =>
      E.map((state: TeamState) => memberIn(state, memberId))(await stateOf(merchantId)),
    command: async (
      merchantId: string,
      actor: string,
      command: TeamCommand,
    ): Promise<E.Either<ExecuteFailure | TeamRejection, TeamState>> => {
      const context = teamContext(services, merchantId, actor)
      const decided = await streams.decide(merchantId, context, Team.decider.decide(command))
      return E.isLeft(decided) ? decided : decided.right
    },
  }
}
export type TeamStreams = ReturnType<typeof teamStreams>

const rejections: ReadonlyArray<string> = ['MemberNotFound', 'LastOwner', 'TeamFull'] satisfies ReadonlyArray<
  TeamRejection['_tag']
>

/** Whether the team itself says no, rather than the store. */
export const isTeamRejection = <F extends { readonly _tag: string }>(
  failure: F | TeamRejection,
): failure is TeamRejection => rejections.includes(failure._tag)
