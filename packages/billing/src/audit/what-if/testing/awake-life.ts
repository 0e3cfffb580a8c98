import { anyLife } from '@quittance/domain/testing/any-subscription-life'

/** Any life of a subscription whose worker never slept: every step was taken when it was due. */
export const anyAwakeLife = anyLife.map((script) => ({
  ...script,
  happenings: script.happenings.filter(({ _tag }) => !_tag.startsWith('away')),
}))
