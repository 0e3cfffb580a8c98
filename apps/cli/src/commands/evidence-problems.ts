import type { EvidenceProblem } from '@quittance/billing/evidence'

/** What is wrong with evidence, for people. */
export const wordsOf = (problem: EvidenceProblem): string => {
  switch (problem._tag) {
    case 'MalformedEvidence':
      return malformed[problem.problem]
    case 'BadKey':
      return `a key of the file is none, or is there twice: ${problem.key}`
    case 'IdleKey':
      return `a key named ${problem.name} has signed nothing`
    case 'UnknownLogKey':
      return `the log ${problem.name} has signed by no key that you gave: it may be another log`
    case 'NoCheckpoint':
      return 'there is no checkpoint'
    case 'BadCheckpoint':
      return `checkpoint ${problem.place + 1} is not to be believed: ${doubt(problem.problem)}`
    case 'StraySignature':
      return `checkpoint ${problem.place + 1} is signed by ${problem.keyName}, whose key the file does not tell`
    case 'NotContinued':
      return `the last checkpoint does not continue checkpoint ${problem.place + 1}: the log was rewritten between them`
    case 'TooFewWitnesses':
      return `${problem.wanted} of your witnesses should have cosigned all of this, but ${problem.cosigned.join(', ') || 'none'} did`
    case 'NothingAbout':
      return `${problem.stream} is missing, which it is about`
    case 'BadStream':
      return `${problem.stream}: it is there twice, or without an event at its end that is shown`
    case 'BrokenChain':
      return `${problem.stream} @ ${problem.revision}: does not follow the event before it`
    case 'BadIndex':
      return `${problem.stream} @ ${problem.revision}: two events have its place in the log`
    case 'NotInLog':
      return `${problem.stream} @ ${problem.revision}: the log does not hold this event, or not with this time`
    case 'BadAnchor':
      return `anchor ${problem.place + 1}: its transaction does not name its checkpoint`
  }
}

const malformed = {
  not_json: 'this is no JSON',
  other_shape: 'this has another form than evidence',
  not_canonical: 'this is not the canonical text of evidence: a byte was changed',
}

const doubt = (problem: Extract<EvidenceProblem, { readonly _tag: 'BadCheckpoint' }>['problem']): string => {
  switch (problem._tag) {
    case 'MalformedNote':
    case 'MalformedCheckpoint':
      return `malformed (${problem.problem})`
    case 'WrongSignature':
      return `the signature of ${problem.keyName} is wrong`
    case 'NoKnownSignature':
      return 'the log has not signed it'
    case 'UnknownOrigin':
      return `the file tells no key of ${problem.origin}`
    case 'TooFewWitnesses':
      return 'too few witnesses'
  }
}
