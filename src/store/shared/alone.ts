/**
 * Under this id the one process that serves from SQLite holds its sessions. It is no node's and has no lease: after
 * a restart they are found as those of any node that is gone.
 */
export const ALONE = 'alone';
