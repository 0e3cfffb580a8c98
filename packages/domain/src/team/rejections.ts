/** Why a command about a team is refused. */
export type TeamRejection =
  | { readonly _tag: 'MemberNotFound' }
  /** Somebody has to be left who may invite others. */
  | { readonly _tag: 'LastOwner' }
  | { readonly _tag: 'TeamFull'; readonly most: number }
