import { gone, type Problems } from './problem.ts'

export const exceptionProblems = {
  ExceptionNotFound: () => gone('exception'),
  ExceptionIsResolved: ({ action }) => [
    409,
    'exception_resolved',
    `It is resolved already: ${action}`,
    undefined,
    'exceptions',
  ],
  ReturnNotWaiting: () => [409, 'return_not_cancelable', 'No return of it waits'],
  ReturnUnderWay: () => [409, 'exception_being_resolved', 'It is on its way back'],
  ApplicationUnderWay: ({ checkoutId }) => [
    409,
    'exception_being_resolved',
    `It is being applied to ${checkoutId}`,
    undefined,
    'exceptions',
  ],
  NotApplicable: ({ kind }) => [
    409,
    'exception_not_applicable',
    `Money of the kind ${kind} cannot count for a checkout`,
    undefined,
    'exceptions',
  ],
  HeldForOperator: () => [
    409,
    'exception_held',
    'Only the operator of the service decides about it',
    undefined,
    'exceptions',
  ],
  NotReturnable: ({ kind }) => [
    409,
    'exception_not_returnable',
    `Nothing of the kind ${kind} can go back`,
    undefined,
    'exceptions',
  ],
  SenderUnknown: (_, { destination }) => [
    409,
    'sender_unknown',
    'Nobody can say which account it may go back to: name one',
    destination,
  ],
  InsufficientFunds: () => [
    409,
    'insufficient_funds',
    'The settlement account does not hold the amount, or would lose its reserve',
  ],
  CreditDoesNotFit: ({ reason }, { checkout }) => [
    409,
    'credit_does_not_fit',
    `The checkout cannot take this money: ${reason}`,
    checkout,
    'checkouts',
  ],
} satisfies Partial<Problems>
