import type { MerchantRejection, TeamRejection } from '@quittance/domain'
import type { AccountFailure } from '../features/merchants/settlement-account.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'

/** For an unknown email and a wrong password, code or passkey alike. */
export type SignInRefused = { readonly _tag: 'SignInRefused' }
/** The password is right, and the member has set up more than that. */
export type SecondFactorNeeded = { readonly _tag: 'SecondFactorNeeded'; readonly factor: 'code' | 'passkey' }
export type TooManySignIns = { readonly _tag: 'TooManySignIns' }
export type InvitationInvalid = { readonly _tag: 'InvitationInvalid' }
export type MemberEmailTaken = { readonly _tag: 'MemberEmailTaken' }
export type TotpNotBegun = { readonly _tag: 'TotpNotBegun' }
export type WrongCode = { readonly _tag: 'WrongCode' }
export type PasskeyRefused = { readonly _tag: 'PasskeyRefused' }
export type PasskeyNotFound = { readonly _tag: 'PasskeyNotFound' }

/** Nobody makes a key that may do more than they do, nor one that they may not have. */
export type KeyBeyondRole = { readonly _tag: 'KeyBeyondRole' }

export type KeyNotFound = { readonly _tag: 'KeyNotFound' }

type KeyRejection = Extract<
  MerchantRejection,
  { readonly _tag: 'ApiKeyIsReplaced' | 'ApiKeyIsRevoked' | 'ReplacementUnlike' }
>

/** Why a change of a key fails. */
export type KeyChangeFailure = ExecuteFailure | AccountFailure | KeyRejection
export type KeyFailure = KeyChangeFailure | KeyNotFound | KeyBeyondRole

/** Why somebody does not get a session. */
export type SignInFailure = ExecuteFailure | SignInRefused | SecondFactorNeeded | TooManySignIns

/** Every failure about a team. */
export type TeamFailure =
  | SignInFailure
  | TeamRejection
  | InvitationInvalid
  | MemberEmailTaken
  | TotpNotBegun
  | WrongCode
  | PasskeyRefused
  | PasskeyNotFound
  | KeyFailure
