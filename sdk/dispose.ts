/** Undoes what it stands for; calling it again does nothing. */
export type Dispose = () => void
