import { standInFor } from '../absent-classes.ts';

const help = 'use the capability http';
standInFor({ Headers: help, Request: help, Response: help, FormData: help });
