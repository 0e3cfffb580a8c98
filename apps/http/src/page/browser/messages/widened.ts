/** What a catalogue has, with any words. */
export type Widened<A> = A extends string
  ? string
  : A extends (...input: infer Input) => infer Output
    ? (...input: Input) => Widened<Output>
    : { readonly [Key in keyof A]: Widened<A[Key]> }
