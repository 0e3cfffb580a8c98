import { xdr } from '@stellar/stellar-sdk'
import { int64Max } from './accounts.ts'

const maxDepth = 4

/**
 * Whether a predicate is well-formed: two parts for AND and OR, one for NOT, no negative time, nested 4 deep at most.
 */
export const isPredicateValid = (predicate: xdr.ClaimPredicate, depth = 1): boolean => {
  if (depth > maxDepth) return false
  const arePartsValid = (parts: ReadonlyArray<xdr.ClaimPredicate>) =>
    parts.length === 2 && parts.every((part) => isPredicateValid(part, depth + 1))
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true
    case 'claimPredicateAnd':
      return arePartsValid(predicate.andPredicates)
    case 'claimPredicateOr':
      return arePartsValid(predicate.orPredicates)
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && isPredicateValid(predicate.notPredicate, depth + 1)
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate.absBefore >= 0n
    case 'claimPredicateBeforeRelativeTime':
      return predicate.relBefore >= 0n
  }
}

/** The stored form of a predicate: relative times become absolute, counted from the ledger's close time. */
export const atCloseTime = (predicate: xdr.ClaimPredicate, closeTime: bigint): xdr.ClaimPredicate => {
  const absolute = (part: xdr.ClaimPredicate) => atCloseTime(part, closeTime)
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate
    case 'claimPredicateAnd':
      return xdr.ClaimPredicate.claimPredicateAnd(predicate.andPredicates.map(absolute))
    case 'claimPredicateOr':
      return xdr.ClaimPredicate.claimPredicateOr(predicate.orPredicates.map(absolute))
    case 'claimPredicateNot':
      return xdr.ClaimPredicate.claimPredicateNot(predicate.notPredicate && absolute(predicate.notPredicate))
    case 'claimPredicateBeforeRelativeTime': {
      const time = closeTime + predicate.relBefore
      return xdr.ClaimPredicate.claimPredicateBeforeAbsoluteTime(time > int64Max ? int64Max : time)
    }
  }
}

/** Thrown for a stored predicate that no valid operation can have stored. */
class BrokenPredicate extends Error {}

/** Whether a stored predicate allows a claim in a ledger with this close time, in seconds since 1970. */
export const holds = (predicate: xdr.ClaimPredicate, closeTime: bigint): boolean => {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true
    case 'claimPredicateAnd':
      return predicate.andPredicates.every((part) => holds(part, closeTime))
    case 'claimPredicateOr':
      return predicate.orPredicates.some((part) => holds(part, closeTime))
    case 'claimPredicateNot':
      if (predicate.notPredicate === null) throw new BrokenPredicate(predicate.type)
      return !holds(predicate.notPredicate, closeTime)
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate.absBefore > closeTime
    case 'claimPredicateBeforeRelativeTime':
      throw new BrokenPredicate(predicate.type)
  }
}
